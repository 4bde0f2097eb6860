import { ttsServiceConformance } from '../../conformance/tts-service.ts';
import { deepgramVoice, openaiVoice, scriptedVoice } from '../../support/tts-services.ts';

for (const marks of [false, true]) ttsServiceConformance(scriptedVoice(marks));
for (const service of [openaiVoice, deepgramVoice]) ttsServiceConformance(service);
