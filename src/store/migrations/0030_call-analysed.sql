-- Programs are told when a call that was over has been read: what it came to, once more.
CREATE FUNCTION webhook_call_analysed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM webhook_tell(NEW.account_id, 'call.analysed', NEW.id, '{}');
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_call_analysed AFTER UPDATE OF analysis_state ON calls
  FOR EACH ROW WHEN (OLD.analysis_state = 'pending' AND NEW.analysis_state = 'ready') EXECUTE FUNCTION webhook_call_analysed();
