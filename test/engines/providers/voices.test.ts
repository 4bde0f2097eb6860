import { ttsServiceConformance } from '../../conformance/tts-service.ts';
import { VOICES } from '../../support/services-by-adapter.ts';
import { scriptedVoice } from '../../support/tts-services.ts';

for (const marks of [false, true]) ttsServiceConformance(scriptedVoice(marks));
for (const [at, service] of Object.values(VOICES).flat().entries()) ttsServiceConformance(service, at);
