"""What happened on the disk: events, settling, walking, ignore rules, comparing with the index. Reads no document."""
