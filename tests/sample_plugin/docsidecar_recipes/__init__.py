"""Recipe files (.recipe) as documents, and a tool that scales a recipe to more or fewer servings."""

from docsidecar_recipes.feature import RecipesFeature
from docsidecar_recipes.format import RecipeFormat

__all__ = ["RecipeFormat", "RecipesFeature"]
