"""The SQLite file itself: opening, migrations, connections, the lease, requests between sidecars. Knows no document."""
