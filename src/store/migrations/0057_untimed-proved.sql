-- expand: looks through what is there, beside everybody who writes
ALTER TABLE calls VALIDATE CONSTRAINT calls_untimed;
ALTER TABLE turns VALIDATE CONSTRAINT turns_untimed;
ALTER TABLE charges VALIDATE CONSTRAINT charges_untimed;
