-- Words of calls that are over, to be searched: one document a call, folded so that spelling does not matter (hamza, alef maqsura, ta
-- marbuta, vowel signs, kashida, digits of either script, capitals), without the Arabic article and what is written together with it.
CREATE FUNCTION folded_words(said text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT regexp_replace(
    regexp_replace(
      translate(lower(regexp_replace(said, '[\u064b-\u065f\u0670\u0640]', '', 'g')),
        'أإآٱىةؤئ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'اااايهوي01234567890123456789'),
      '[[:punct:]،؛؟٪«»…–—“”‘’]+', ' ', 'g'),
    '(^|\s)[وفبك]?(?:ال|لل)(?=\S\S)', '\1', 'g')
$$;

-- Calls in which every word occurs, or (`|`) one of them; a word may be the beginning of one. Null where there is none.
CREATE FUNCTION words_query(asked text, joined text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_tsquery('simple', string_agg(word || ':*', joined)) FROM (
    SELECT word FROM regexp_split_to_table(folded_words(asked), '\s+') AS word WHERE word <> '' LIMIT 10) AS words
$$;

-- Longer than any talk of hours; a document has a megabyte at most.
CREATE FUNCTION call_words(id text) RETURNS tsvector LANGUAGE sql STABLE AS $$
  SELECT to_tsvector('simple', folded_words(left(string_agg(text, ' ' ORDER BY index), 200000))) FROM turns WHERE call_id = id
$$;

ALTER TABLE calls ADD COLUMN words tsvector;
UPDATE calls SET words = call_words(id) WHERE ended_at IS NOT NULL AND erased_at IS NULL;
CREATE INDEX calls_words ON calls USING gin (words);
