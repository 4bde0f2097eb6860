import { parentPort, workerData } from 'node:worker_threads';
import { errorText } from '../../../core/errors.ts';
import type { EncoderThreadData, FromEncoder, ToEncoder } from './encoder-protocol.ts';
import { LiteEncoder } from './lite-encoder.ts';
import { readWeightFiles } from './weight-files.ts';

const encoder = new LiteEncoder(readWeightFiles((workerData as EncoderThreadData).folder));

parentPort?.on('message', ({ id, texts }: ToEncoder) => {
  let answer: FromEncoder;
  try {
    answer = { id, vectors: texts.map((text) => encoder.encode(text)) };
  } catch (error) {
    answer = { id, why: errorText(error) };
  }
  parentPort?.postMessage(answer);
});
