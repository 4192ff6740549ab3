"""SQL over tables of documents, in a worker process: a confined database in memory that holds nothing else."""
