import { ttsServiceConformance } from '../../conformance/tts-service.ts';
import { azureVoice, deepgramVoice, elevenlabsVoice, openaiVoice, scriptedVoice } from '../../support/tts-services.ts';
import { wyomingVoiceService } from '../../support/wyoming-services.ts';

for (const marks of [false, true]) ttsServiceConformance(scriptedVoice(marks));
for (const service of [openaiVoice, deepgramVoice, elevenlabsVoice, azureVoice, wyomingVoiceService])
  ttsServiceConformance(service);
