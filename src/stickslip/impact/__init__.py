"""JUMP: what impulses at contacts do to velocities, and impact laws."""
