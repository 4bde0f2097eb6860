import { describe, expect, it } from 'vitest';
import { readSlot } from './read-slot.ts';

const addressOf = (text: string): string | undefined =>
  readSlot('text', text, { definition: { name: 'address' } })?.value.value;

describe('an address that is mended while it is said', () => {
  it.each([
    ['number eight on orchid street no orchard street in al sahafah', 'number eight on orchard street in al sahafah'],
    ['number eight orchid street no orchard', 'number eight orchard street'],
    ['olaya street malaz no rawdah', 'olaya street rawdah'],
    ['number eight on tahlia street in malaz no sorry in rawdah', 'number eight on tahlia street in rawdah'],
    ['al olaya street al malqa no al yasmin', 'al olaya street al yasmin'],
    ['villa two olaya street hittin no villa three', 'villa three olaya street hittin'],
    ['villa two olaya street hittin no wait villa three palm street', 'villa three palm street hittin'],
    ['house number five olaya street no number six', 'house number six olaya street'],
    ['building twelve king fahd road no i mean king abdullah road', 'building twelve king abdullah road'],
    ['building twelve king fahd road sorry building twenty one', 'building twenty one king fahd road'],
    ['شارع العليا عمارة ستة لا شارع التحلية', 'شارع التحلية عمارة ستة'],
    ['حي النرجس شارع خمسة لا حي الياسمين', 'حي الياسمين شارع خمسة'],
  ])('%s: the piece alone', (said, address) => expect(addressOf(said)).toBe(address));

  it.each([
    ['number eight olaya street no villa nine palm street', 'villa nine palm street'],
    ['palm street eight no sorry palm street nine', 'palm street nine'],
    ['the office in granada no the clinic on palm street second floor', 'the clinic on palm street second floor'],
    ['i think it is olaya street no sorry tahlia street nine', 'tahlia street nine'],
  ])('%s: another address', (said, address) => expect(addressOf(said)).toBe(address));

  it.each([
    ['granada business park tower two no tower three sorry we moved floors', 'granada business park tower three'],
    ['jasmine tower floor nine no floor ten sorry i always mix that up', 'jasmine tower floor ten'],
    ['palm street eight sorry i have a cold', 'palm street eight'],
  ])('%s: talk is no address', (said, address) => expect(addressOf(said)).toBe(address));
});

describe('what an address is said with', () => {
  it.each([
    ['my new place is in hittin al nakheel street villa twenty', 'hittin al nakheel street villa twenty'],
    ['we live now at palm street eight', 'palm street eight'],
    ['i moved to the hospital housing', 'the hospital housing'],
    ['our house is in hittin', 'hittin'],
    ['it should go to tahlia street', 'tahlia street'],
    ['بيتي الجديد في حي الياسمين شارع عشرة', 'حي الياسمين شارع عشرة'],
    ['ساكن في حي النرجس شارع خمسة', 'حي النرجس شارع خمسة'],
  ])('%s: leads to it', (said, address) => expect(addressOf(said)).toBe(address));

  it.each([
    ['orchard street like with apples in al sahafah', 'orchard street in al sahafah'],
    ['thirty king road like the king in al olaya', 'thirty king road in al olaya'],
    ['villa two in like hittin', 'villa two in like hittin'],
  ])('%s: likens it', (said, address) => expect(addressOf(said)).toBe(address));

  it.each(['we moved floors', 'we moved house', 'i am not at home'])('%s is none', (said) =>
    expect(addressOf(said)).toBeUndefined(),
  );
});
