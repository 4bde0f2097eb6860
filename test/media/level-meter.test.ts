import { expect, it } from 'vitest';
import { allocateCallAudio, wipeCallAudio } from '../../src/media/plane/call-audio.ts';
import { allocateMeter, LevelMeter } from '../../src/media/plane/level-meter.ts';
import { configure, portOf, SlotRig } from '../support/slot-rig.ts';

const frame = (level: number): Int16Array => new Int16Array(160).fill(level);

it('tells the loudest frame since it was read, of each side, and silence after that', () => {
  const memory = allocateMeter();
  const [main, thread] = [new LevelMeter(memory), new LevelMeter(memory)];
  main.read();
  for (const level of [16, 16_384, 160]) thread.heard(frame(level));
  thread.said(frame(3_277));
  const { heardDb, saidDb } = main.read();
  expect([Math.round(heardDb), Math.round(saidDb)]).toEqual([-6, -20]);
  expect(main.read()).toEqual({ heardDb: -100, saidDb: -100 });
  thread.heard(frame(0));
  thread.said(new Int16Array(0));
  expect(main.read()).toEqual({ heardDb: -100, saidDb: -100 });
  thread.heard(frame(-32_768));
  expect(Math.round(main.read().heardDb)).toBe(0);
});

it('measures nothing before it is read, and nothing two seconds after that', () => {
  const memory = allocateMeter();
  const [main, thread] = [new LevelMeter(memory), new LevelMeter(memory)];
  thread.heard(frame(16_384));
  thread.said(frame(16_384));
  expect(main.read()).toEqual({ heardDb: -100, saidDb: -100 });
  for (let n = 0; n < 100; n += 1) thread.heard(frame(16));
  thread.heard(frame(16_384));
  thread.said(frame(16_384));
  expect(Math.round(main.read().heardDb)).toBe(-66);
});

it('is that of the call, and of the next one when that is over', async () => {
  const rig = new SlotRig();
  const audio = allocateCallAudio(1_000);
  const slot = await rig.open(1, { audio });
  slot.receive(configure(1));
  const meter = new LevelMeter(audio.meter);
  meter.read();
  for (let n = 0; n < 10; n += 1) rig.round(n);
  expect(rig.sockets.get(portOf(1))!.amplitude).toBe(0.25);
  const { heardDb } = meter.read();
  expect(heardDb).toBeGreaterThan(-17);
  expect(heardDb).toBeLessThan(-13);
  slot.close();
  wipeCallAudio(audio);
  new LevelMeter(audio.meter).heard(frame(16_384));
  expect(meter.read().heardDb).toBe(-100);
});
