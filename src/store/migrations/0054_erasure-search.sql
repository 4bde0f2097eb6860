-- expand: an erasure is searched for in pieces, by whichever gateway; see src/store/data-life.md
ALTER TABLE erasures ADD COLUMN search jsonb; -- how far it is; NULL: all of it was looked through
ALTER TABLE erasures ADD COLUMN sealed_number bytea; -- whom it is about, with the key of the installation, for as long as it is searched for
