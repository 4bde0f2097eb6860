/** Why an engine does not serve, and how a part of the gateway is. Kept as texts by engines and parts: `noticeOf` reads them back. */
export const ENGINE_NOTICES = {
  // Now, and when it was checked.
  'engine.recogniser-closed': 'the recogniser is closed',
  'engine.synthesiser-closed': 'the synthesiser is closed',
  'engine.reply-closed': 'the reply engine was closed',
  'engine.paused': '<engine> is paused after failures in a row: not asked for <seconds> s',
  'engine.tried-again': '<engine> was paused and is being tried again',
  'engine.not-for-language': '<engine> is not asked for <language>: choose another engine under engines.stt',
  'engine.not-configured': 'no engine is configured',
  'engine.key-refused': 'the service refused the key or wants to be paid: not asked for <seconds> s',
  'engine.left-alone': 'the service asked to be left alone: not asked for <seconds> s',
  'engine.no-voice': 'no voice is configured',
  'engine.no-sound': 'no sound came',
  'engine.understood-nothing': 'it understood nothing',
  'engine.answered-nothing': 'it answered nothing',
  'engine.not-found': 'it did not find what the document says',
  'engine.late': 'nothing within <seconds> s',

  // What is missing.
  'engine.no-recogniser': 'no recogniser is configured for <tag>: set engines.stt.<tag> in config/nidaa.yaml',
  'engine.english-only':
    'The embedded recogniser speaks English only: set engines.stt.<tag> to an engine that serves <language>.',
  'engine.english-closed': 'The recogniser (engines.stt.en) is closed.',
  'engine.no-pocketsphinx':
    'English recognition needs the system library pocketsphinx: <command>, or name another engine under engines.stt.en.',
  'engine.no-lines': 'The scripted recogniser has no lines in <language>: choose another engine under engines.stt.',
  'engine.program-not-started': '<program> could not be started (<error>)',
  'engine.program-does-not-run': '<program> does not run (<error>): apt-get install espeak-ng',
  'engine.setting-not-set': '<setting> is not set',
  'engine.settings-not-set': '<setting> and <other> are not set',
  'engine.no-model-voices': 'engines.sherpa.voices is empty: write a model there',
  'engine.no-model-ears':
    'sherpa has no ears for <tag>: write engines.sherpa.ears with languages: [<tag>], or change engines.stt.<tag>',
  'engine.no-model-library':
    'models on disk need the npm package <name>, which is not installed: <command> in the folder of the gateway',
  'engine.no-folder': '<folder> is no folder that can be read',
  'engine.kind-not-known': 'what kind of model <model> is, is not known: write `kind` beside it',
  'engine.files-missing': '<folder> lacks <files>',
  'engine.ears-withheld':
    "<engine> sends what callers say to a service: it is not used until speechPrivacy: remote is written, under engines or in an agent's file",
  'engine.voice-withheld':
    "<engine> sends what agents say to a service: it is not used until speechPrivacy: remote is written, under engines or in an agent's file",
  'engine.agent-names-none': '<engine>: the agent names a reply engine that is not configured',
  'engine.chat-left-alone': 'the chat server asked to be left alone for <seconds> s',

  // Parts.
  'part.media-threads': '<down> of <threads> media threads died and are being started again',
  'part.edge-silent': 'no media edge answers: <edges>',
  'part.edge-some': '<down> of <engines> media edges do not answer: <edges>',
  'part.speech-behind': 'more speech than is followed in time: <stretches> at once, finals after <ms> ms',
  'part.database-silent': 'the database does not answer',
  'part.charges-wait': 'charges wait on disk',
  'part.starting': 'the gateway is starting',
  'part.draining': 'draining: calls and requests should go elsewhere',
  'part.lease-unsure':
    'the lease of this node has run out and the database does not answer: others may take it for dead',
  'part.lease-displaced': 'another process has the identity of this node: live calls end here, new ones are not begun',
  'part.jobs-away': 'Redis does not answer: recordings, documents and analyses wait, calls go on',
  'part.jobs-may-go': 'Redis: <error>',
  'part.jobs-silent': 'the queues of jobs do not answer',
  'part.no-sip-server': 'no SIP server',
  'part.sip-server-refuses': 'the SIP server at <address> refuses our secret',
  'part.sip-server-silent': 'no SIP server answers at <address>',
  'part.not-recorded': 'calls are not recorded: <error>',
  'part.metrics-not-served': 'cannot listen on <address> (<error>): set metrics.port or NIDAA_METRICS_PORT',
} as const;
