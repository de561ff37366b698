// SPDX-License-Identifier: Apache-2.0
// CMAF segments (ISO/IEC 23000-19 §7.3.2): one `moof` and its `mdat`, of one track or several.
import { joinBytes, writeBox, writeFields } from './boxes.ts';
import { NON_SYNC } from './trackFragment.ts';

/** Samples in the order in which they are decoded and presented. Midroll encodes no B-frames, so these are the same. */
type SampleRun = {
  readonly trackId: number;
  /** The decode time of the first sample, in the track's timescale. */
  readonly decodeTime: number;
  readonly sampleDuration: number;
  /** The duration of each sample, if the durations differ. */
  readonly durations?: readonly number[];
  /** `video`: only the first sample is a sync sample. `audio`: every sample is. */
  readonly kind: 'video' | 'audio';
  readonly sizes: readonly number[];
  /** The samples, concatenated. */
  readonly data: Uint8Array;
};

const DEFAULT_BASE_IS_MOOF = 0x020000;
const DEPENDS_ON_NONE = 0x02000000; // sample_depends_on = 2 (§8.8.3.1)
const DEPENDS_ON_OTHERS = 0x01000000 | NON_SYNC; // sample_depends_on = 1

const high = (value: number): number => Math.floor(value / 2 ** 32);

const brands = writeBox('styp', new TextEncoder().encode('msdh\0\0\0\0msdhmsixcmfs'));

/**
 * @param sequence the sequence_number of `mfhd`, which increases from segment to segment
 * @throws if the sizes do not add up to the length of the data
 */
export function writeFragment(sequence: number, runs: readonly SampleRun[]): Uint8Array {
  for (const { sizes, data } of runs) {
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (total !== data.length) throw new Error(`the samples must have ${total} bytes; got ${data.length}`);
  }
  const length = writeMoof(sequence, runs, 0).length;
  const moof = writeMoof(sequence, runs, length + 8);
  return joinBytes([brands, moof, writeBox('mdat', ...runs.map((run) => run.data))]);
}

function writeMoof(sequence: number, runs: readonly SampleRun[], firstDataOffset: number): Uint8Array {
  let dataOffset = firstDataOffset;
  const tracks = runs.map((run) => {
    const isVideo = run.kind === 'video';
    const tfhd = writeBox(
      'tfhd',
      writeFields(
        DEFAULT_BASE_IS_MOOF | 0x28,
        run.trackId,
        run.sampleDuration,
        isVideo ? DEPENDS_ON_OTHERS : DEPENDS_ON_NONE,
      ),
    );
    const tfdt = writeBox('tfdt', writeFields(0x01000000, high(run.decodeTime), run.decodeTime % 2 ** 32));
    const trun = writeBox(
      'trun',
      isVideo
        ? writeFields(0x205, run.sizes.length, dataOffset, DEPENDS_ON_NONE)
        : writeFields(run.durations ? 0x301 : 0x201, run.sizes.length, dataOffset),
      writeFields(
        ...run.sizes.flatMap((size, index) =>
          run.durations ? [run.durations[index] ?? run.sampleDuration, size] : [size],
        ),
      ),
    );
    dataOffset += run.data.length;
    return writeBox('traf', tfhd, tfdt, trun);
  });
  return writeBox('moof', writeBox('mfhd', writeFields(0, sequence)), ...tracks);
}
