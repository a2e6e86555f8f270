"""What is kept, so that nothing acknowledged is ever lost: records, the file they are in, and back again."""
