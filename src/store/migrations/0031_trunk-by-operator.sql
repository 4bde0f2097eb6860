-- Whether an operator wrote the definition of an account's trunk: what an account wrote itself leads to the public internet alone.
ALTER TABLE trunks ADD COLUMN by_operator boolean NOT NULL DEFAULT false;
