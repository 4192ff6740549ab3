"""Worker processes: pools of them, one process, the frames between, its bounds, the child's main. Knows no document."""
