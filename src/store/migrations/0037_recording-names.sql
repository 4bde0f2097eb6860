-- Compared by their bytes, as storages list names.
ALTER TABLE recordings ALTER COLUMN name TYPE text COLLATE "C";
