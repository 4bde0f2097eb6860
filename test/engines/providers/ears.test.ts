import { sttServiceConformance } from '../../conformance/stt-service.ts';
import { EARS } from '../../support/services-by-adapter.ts';
import { scriptedService } from '../../support/stt-services.ts';

for (const feed of ['whole-stretches', 'new-speech', 'everything'] as const)
  sttServiceConformance(scriptedService(feed));
for (const [at, service] of Object.values(EARS).flat().entries()) sttServiceConformance(service, at);
