"""Assistants' configuration files as users have them, each with what our entry adds, to the byte.

In a text `«…»` is what installing adds and `‹…›` what it takes away; without the one it is the file before, without the
other the file after.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

COMMAND = ("/opt/doc sidecar/docsidecar", "serve", "--folder", "/home/me/Übersicht")


@dataclass(frozen=True)
class Sample:
    """One file. `loose` says that only the backup tells what it was: two files become the same."""

    name: str
    client: str
    marked: str
    crlf: bool = False
    mark: bool = False
    loose: bool = False

    @property
    def before(self) -> bytes:
        """The file before."""
        return self._bytes(re.sub("«.*?»", "", self.marked, flags=re.DOTALL), "‹›")

    @property
    def after(self) -> bytes:
        """The file after."""
        return self._bytes(re.sub("‹.*?›", "", self.marked, flags=re.DOTALL), "«»")

    def _bytes(self, text: str, marks: str) -> bytes:
        text = text.translate({ord(mark): None for mark in marks})
        text = text.replace("\n", "\r\n") if self.crlf else text
        return (b"\xef\xbb\xbf" if self.mark else b"") + text.encode()


def _entry(indent: str, unit: str = "  ", *first: str) -> str:
    """Our entry's members as most clients want them, on lines that begin with that indent."""
    words = [f'{indent}{unit}"{word}"' for word in COMMAND[1:]]
    lines = [*(f"{indent}{line}," for line in first), f'{indent}"command": "{COMMAND[0]}",', f'{indent}"args": [']
    return "\n".join([*lines, ",\n".join(words), f"{indent}]"])


_STDIO = '"type": "stdio"'
_TOML = """[mcp_servers.docsidecar]
command = "/opt/doc sidecar/docsidecar"
args = ["serve", "--folder", "/home/me/Übersicht"]
"""
_ONE_LINE = '"command": "/opt/doc sidecar/docsidecar", "args": ["serve", "--folder", "/home/me/Übersicht"]'

SAMPLES = (
    Sample("desktop-empty-object", "claude-desktop", '{«\n  "mcpServers": {\n    "docsidecar": {\n'
           + _entry("      ") + "\n    }\n  }\n»}\n"),
    Sample("desktop-two-servers-no-last-newline", "claude-desktop", """{
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/me/Desktop"]
    },
    "github": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-github"],
      "env": { "GITHUB_PERSONAL_ACCESS_TOKEN": "ghp_0123" }
    }«,
    "docsidecar": {
""" + _entry("      ") + """
    }»
  }
}"""),
    Sample("desktop-only-preferences", "claude-desktop", """{
  "globalShortcut": "Alt+Space",
  "preferences": {
    "menuBarEnabled": false,
    "legacyQuickEntryEnabled": false
  }«,
  "mcpServers": {
    "docsidecar": {
""" + _entry("      ") + """
    }
  }»
}
"""),
    Sample("desktop-windows-crlf-bom", "claude-desktop", r"""{
    "mcpServers": {
        "files": {
            "command": "C:\\Program Files\\nodejs\\npx.cmd",
            "args": ["C:\\Users\\Jürgen\\Documents"]
        }«,
        "docsidecar": {
""" + _entry("            ", "    ") + """
        }»
    }
}
""", crlf=True, mark=True),
    Sample("code-many-projects", "claude-code", """{
  "numStartups": 184,
  "tipsHistory": {"shift-enter": 12, "memory-command": 180},
  "projects": {
    "/home/me/work": {
      "allowedTools": [],
      "history": [{"display": "what does \\"mcpServers\\": {} mean? // nothing", "pastedContents": {}}],
      "mcpServers": {
        "docsidecar": {"type": "stdio", "command": "docsidecar", "args": ["serve"]}
      }
    }
  },
  "oauthAccount": {"emailAddress": "me@example.org"},
  "firstStartTime": "2025-06-19T07:12:55.281Z"«,
  "mcpServers": {
    "docsidecar": {
""" + _entry("      ", "  ", _STDIO) + """
    }
  }»
}"""),
    Sample("code-with-servers", "claude-code", """{
  "mcpServers": {
    "sentry": {
      "type": "http",
      "url": "https://mcp.sentry.dev/mcp"
    }«,
    "docsidecar": {
""" + _entry("      ", "  ", _STDIO) + """
    }»
  },
  "autoUpdates": false
}
"""),
    Sample("code-one-line", "claude-code", '{"mcpServers":{"a":{"command":"x"}«,"docsidecar":'
           + '{"type":"stdio","command":"/opt/doc sidecar/docsidecar",'
           + '"args":["serve","--folder","/home/me/Übersicht"]}»},"tips":[1,2]}\n'),
    Sample("vscode-tabs-comments-trailing-commas", "vscode", """// Servers for the agent
{
\t"inputs": [
\t\t{ "id": "token", "type": "promptString", "password": true, },
\t],
\t"servers": {
\t\t/* the one everybody has */
\t\t"playwright": {
\t\t\t"command": "npx",
\t\t\t"args": ["@playwright/mcp@latest"],
\t\t},«
\t\t"docsidecar": {
""" + _entry("\t\t\t", "\t", _STDIO) + """
\t\t},»
\t},
}
"""),
    Sample("vscode-no-servers", "vscode", """{
\t"servers": {«
\t\t"docsidecar": {
""" + _entry("\t\t\t", "\t", _STDIO) + """
\t\t}
\t»},
\t"inputs": []
}"""),
    Sample("cursor-one-commented-out", "cursor", """{
  "mcpServers": {
    "linear": {
      "url": "https://mcp.linear.app/sse"
    }«,» // , "old": { "command": "node" }«
    "docsidecar": {
""" + _entry("      ") + """
    }»
    // "figma": { "url": "http://127.0.0.1:3845/sse" }
  }
}
"""),
    Sample("cursor-block-comment-behind-comma", "cursor", """{
  "mcpServers": {
    "a": { "command": "x", "args": [], }, /* keep */«
    "docsidecar": {
""" + _entry("      ") + """
    },»
  }
}
"""),
    Sample("cursor-nothing-but-a-remark", "cursor", """{
  "mcpServers": {
    // none yet«
    "docsidecar": {
""" + _entry("      ") + """
    }»
  }
}
"""),
    Sample("windsurf-crlf", "windsurf", """{
    "mcpServers": {
        "remote": {
            "serverUrl": "https://example.org/mcp",
            "disabled": true
        }«,
        "docsidecar": {
""" + _entry("            ", "    ") + """
        }»
    }
}
""", crlf=True),
    Sample("windsurf-blanks-in-braces", "windsurf", """{
  "mcpServers": {‹ ›«
    "docsidecar": {
""" + _entry("      ") + """
    }
  »}
}
""", loose=True),
    Sample("zed-settings", "zed", """// Zed settings
//
// For information on how to configure Zed, see the Zed
// documentation: https://zed.dev/docs/configuring-zed
{
  "agent": {
    "default_model": { "provider": "zed.dev", "model": "claude-sonnet-4" },
  },
  "ui_font_size": 16,
  "lsp": { "tinymist": { "settings": { "exportPdf": "onSave" } } },
  "theme": { "mode": "system", "light": "One Light", "dark": "One Dark" },«
  "context_servers": {
    "docsidecar": {
""" + _entry("      ") + """
    }
  },»
}
"""),
    Sample("zed-with-servers", "zed", """{
  "context_servers": {
    "mcp-server-context7": { "source": "extension", "settings": { "default_minimum_tokens": "10000" } },
    "own": { "source": "custom", "command": "uv", "args": ["run", "main.py"], "env": {} }«,
    "docsidecar": {
""" + _entry("      ") + """
    }»
  },
  "vim_mode": true, // since 2024
}
"""),
    Sample("gemini-unicode", "gemini", """{
  "selectedAuthType": "oauth-personal",
  "theme": "Größe 🦫 \\u2603",
  "mcpServers": {
    "数据": { "httpUrl": "http://localhost:1/" }«,
    "docsidecar": {
""" + _entry("      ") + """
    }»
  }
}
"""),
    Sample("gemini-written-by-hand", "gemini", """{ "theme": "Dracula",
  "mcpServers": { "git": { "command": "uvx", "args": ["mcp-server-git"] }«, "docsidecar": {"""
           + _ONE_LINE + "}» } }\n"),
    Sample("opencode-jsonc", "opencode", """{
  "$schema": "https://opencode.ai/config.json",
  // Theme configuration
  "theme": "opencode",
  "mcp": {
    "jira": { "type": "remote", "url": "https://jira.example.com/mcp", "enabled": false },«
    "docsidecar": {
      "type": "local",
      "enabled": true,
      "command": [
        "/opt/doc sidecar/docsidecar",
        "serve",
        "--folder",
        "/home/me/Übersicht"
      ]
    },»
  },
}
"""),
    Sample("opencode-2", "opencode", """{
  "mcp": {
    "servers": {
      "a": { "type": "local", "command": ["npx", "-y", "x"] }«,
      "docsidecar": {
        "type": "local",
        "enabled": true,
        "command": [
          "/opt/doc sidecar/docsidecar",
          "serve",
          "--folder",
          "/home/me/Übersicht"
        ]
      }»
    }
  }
}
"""),
    Sample("codex-usual", "codex", """model = "gpt-5-codex"
model_reasoning_effort = "high"

[projects."/home/me/work"]
trust_level = "trusted"

[tui]
notifications = true # even at night
«
""" + _TOML + "»"),
    Sample("codex-with-servers-crlf", "codex", """approval_policy = 'on-request'

[mcp_servers.context7]
command = 'C:\\Program Files\\nodejs\\npx.cmd'
args = [
    "-y",   # yes
    "@upstash/context7-mcp",
]

[mcp_servers.context7.env]
KEY = "secret"

[[hooks]]
name = "x"
«
""" + _TOML + "»", crlf=True, mark=True),
    Sample("codex-servers-on-one-line", "codex", 'mcp_servers = { a = { command = "x" }«, docsidecar = {'
           + 'command = "/opt/doc sidecar/docsidecar", args = ["serve", "--folder", "/home/me/Übersicht"]}»‹ ›}\n'
           + "[tui]\ntheme = 'x'\n", loose=True),
    Sample("codex-a-header-in-a-text", "codex", 'instructions = """\n[mcp_servers.docsidecar]\ncommand = "no"\n"""\n«\n'
           + _TOML + "»"),
    Sample("codex-no-last-newline", "codex", 'model = "o3"«\n\n' + _TOML + "»", loose=True),
    Sample("codex-remarks-only", "codex", "# nothing yet\n«\n" + _TOML + "»"),
    Sample("an-empty-file", "cursor", '«{\n  "mcpServers": {\n    "docsidecar": {\n' + _entry("      ")
           + "\n    }\n  }\n}\n»", loose=True),
    Sample("remarks-only", "zed", '// nothing yet\n«{\n  "context_servers": {\n    "docsidecar": {\n' + _entry("      ")
           + "\n    }\n  }\n}\n»", loose=True),
)  # fmt: skip

BROKEN: tuple[tuple[str, str, bytes, int, int, str], ...] = (
    ("a comma is missing", "cursor", b'{\n  "mcpServers": {\n    "a": {}\n    "b": {}\n  }\n}\n', 4, 5, '","'),
    ("the text ends", "claude-desktop", b'{\n  "mcpServers": {\n    "a": {', 3, 11, "the text ends"),
    ("a comment is open", "zed", b'{\n  "a": 1, /* for ever\n}\n', 2, 11, "a comment is not closed"),
    ("a string is open", "gemini", b'{"theme": "Dracula}\n', 1, 11, "a string is not closed"),
    ("a wrong escape", "claude-desktop", b'{\n  "command": "C:\\Users"\n}', 2, 17, "escape"),
    ("single quotes", "opencode", b"{'mcp': {}}", 1, 2, "double quotes"),
    ("JavaScript", "vscode", b'{\n  "servers": undefined\n}', 2, 14, "a value"),
    ("a merge conflict", "claude-code", b'{\n<<<<<<< HEAD\n  "a": 1\n}', 2, 1, "name in double quotes"),
    ("two objects", "cursor", b"{}\r\n{}\r\n", 2, 1, "the end of the file"),
    ("a list", "cursor", b'["docsidecar"]', 1, 1, "an object"),
    ("servers are a list", "windsurf", b'{\n  "mcpServers": []\n}', 2, 17, "is not an object"),
    ("servers twice", "cursor", b'{"mcpServers": {},\n "mcpServers": {}}', 2, 2, "second time"),
    ("nested without end", "cursor", b'{"a":' + b"[" * 100_000, 1, 206, "nested"),
    ("UTF-16 of a shell", "claude-desktop", "{}".encode("utf-16"), 1, 1, "UTF-8"),
    ("a byte of Latin-1", "cursor", b'{\n  "a": "J\xfcrgen"\n}', 2, 10, "0xfc"),
    ("a key twice", "codex", b'model = "a"\n[tui]\nx = 1\nx = 2\n', 4, 6, "overwrite"),
    ("a text is open", "codex", b'model = "a\n', 1, 11, "character"),
    ("no value", "codex", b"[mcp_servers.a]\ncommand =\n", 2, 10, "value"),
    ("servers are a text", "codex", b'mcp_servers = "none"\n', 1, 1, "not a table"),
)
"""What is wrong, whose file, its bytes, the line and column to be named, and a part of the sentence."""
