-- A trunk or number that is kept and takes no calls for a while.
ALTER TABLE trunks ADD COLUMN enabled boolean NOT NULL DEFAULT true;
ALTER TABLE numbers ADD COLUMN enabled boolean NOT NULL DEFAULT true;
