import { sttServiceConformance } from '../../conformance/stt-service.ts';
import { realtimeService } from '../../support/realtime-ears.ts';
import { sonioxService } from '../../support/soniox-ears.ts';
import {
  azureService,
  deepgramService,
  elevenlabsService,
  openaiService,
  scriptedService,
} from '../../support/stt-services.ts';
import { wyomingService } from '../../support/wyoming-services.ts';

for (const feed of ['whole-stretches', 'new-speech', 'everything'] as const)
  sttServiceConformance(scriptedService(feed));
for (const streamed of [false, true]) sttServiceConformance(openaiService(streamed));
for (const early of [false, true]) sttServiceConformance(realtimeService(early));
for (const streams of [false, true]) sttServiceConformance(wyomingService(streams));
for (const service of [deepgramService, elevenlabsService, azureService, sonioxService]) sttServiceConformance(service);
