"""What pages look like (`model`), and parts of documents laid out so whose files say little of how they look."""
