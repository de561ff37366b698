// Makes the media of one job, and brings them to the shelf under their content's name. Everything that can go wrong is a
// failure with a plain reason; it knows no lease and no other worker.
import { availableParallelism } from 'node:os';
import { type Failure, isFailure, thrownFault } from '../condition/conditionFailure.ts';
import {
  type ConditionLimits,
  type ConditionOrder,
  type ConditionTools,
  conditionMedia,
} from '../condition/conditionMedia.ts';
import type { Ffmpeg, MediaShelf } from '../condition/conditionPorts.ts';
import type { PackagedMedia } from '../package/packagedMedia.ts';
import type { Origin } from '../ports.ts';
import { createTurnQueue } from '../turnQueue.ts';

export type MakerLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
};

export type CreativeMakerOptions = {
  readonly shelf: MediaShelf;
  readonly origin: Origin;
  readonly ffmpeg: Ffmpeg;
  readonly log: MakerLog;
  readonly limits?: ConditionLimits;
  /** How creatives that come as HLS or DASH may be shown as they are; they never are unless told. */
  readonly asIs?: ConditionTools['asIs'];
  /** Encoders at once; one for two cores unless told. */
  readonly concurrency?: number;
  /** Threads of each encoder; 2 unless told. */
  readonly threads?: number;
};

export type CreativeMaker = {
  /** @param signal ends it; with the reason `late` the fault is the creative's */
  make(order: ConditionOrder, signal: AbortSignal): Promise<PackagedMedia | Failure>;
  /** Encoders at once. */
  readonly concurrency: number;
  /** Whether what is handed in now would wait for an encoder. */
  isBusy(): boolean;
};

export function createCreativeMaker(options: CreativeMakerOptions): CreativeMaker {
  const { shelf, log } = options;
  const concurrency = Math.max(1, options.concurrency ?? Math.floor(availableParallelism() / 2));
  const encoders = createTurnQueue(concurrency);

  async function make(order: ConditionOrder, signal: AbortSignal): Promise<PackagedMedia | Failure> {
    const there = shelf.find(order.id);
    if (there !== undefined) return there;
    const full = order.kind === 'slate' ? undefined : await shelf.full();
    if (full !== undefined) return { failed: `there is no room for it: ${full}`, fault: 'NO_ROOM', isLasting: false };
    const workshop = await shelf.open(order.id);
    try {
      const made = await conditionMedia(order, workshop, toolsFor(options, signal), (job) =>
        encoders.run(job, order.kind === 'slate'),
      );
      if (isFailure(made)) return made;
      if (shelf.find(made.media.id) === undefined) await workshop.publish(made);
      await shelf.name(order.id, made.media.id);
      return made;
    } finally {
      await workshop.discard();
    }
  }

  return {
    async make(order, signal) {
      try {
        const made = await make(order, signal);
        if (!isFailure(made)) return made;
        if (signal.reason === 'late') return { failed: 'it took too long to make', fault: 'TOO_SLOW', isLasting: true };
        return signal.aborted ? { ...made, isLasting: false } : made;
      } catch (error) {
        const fault = thrownFault(error);
        log.warn({ err: error, id: order.id }, 'conditioning stopped on an error');
        const failed = fault === 'NO_ROOM' ? 'the disk is full' : 'it could not be made or stored';
        return { failed, fault, isLasting: false };
      }
    },
    concurrency,
    isBusy: () => encoders.waiting() >= concurrency,
  };
}

/** What a job may use for as long as it is nobody else's. */
const toolsFor = (
  { origin, ffmpeg, threads = 2, shelf, limits, asIs }: CreativeMakerOptions,
  signal: AbortSignal,
): ConditionTools => ({
  origin: {
    read: (url, given) => origin.read(url, { ...given, signal }),
    save: (url, path, given) => origin.save(url, path, { ...given, signal }),
  },
  ffmpeg: { missing: ffmpeg.missing, run: (program, run) => ffmpeg.run(program, { ...run, signal }) },
  threads,
  shelf,
  ...(limits ? { limits } : {}),
  ...(asIs ? { asIs } : {}),
});
