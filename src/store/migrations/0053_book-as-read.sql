-- expand: what moves money is written on the condition that it is still as it was read
CREATE FUNCTION book_as_read(p_so boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT p_so THEN RAISE EXCEPTION 'an account has been written since it was read' USING ERRCODE = '40001'; END IF;
END $$;
