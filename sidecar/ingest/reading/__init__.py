"""Reading a file in a worker: detect its format, parse, cut into passages, encode. Not when or whether it is read."""
