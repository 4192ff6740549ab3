"""Office files made of documents' blocks and of rows: Word, Excel, PowerPoint and CSV. Runs in workers only."""
