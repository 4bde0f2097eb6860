import { DgramIo } from '../../src/media/io/dgram-io.ts';
import { mediaIoConformance } from '../conformance/media-io.ts';

mediaIoConformance('dgram', (address, now) => new DgramIo(address, now));
