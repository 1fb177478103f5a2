"""Files and folders of ours: made for their owner only, and read only where they are plain files."""
