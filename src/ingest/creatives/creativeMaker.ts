// Makes the media of one job, and brings them to the media store under their content's name. Everything that can go wrong is a
// failure with a plain reason; it knows no lease and no other worker.
import { availableParallelism } from 'node:os';
import {
  type ConditionLimits,
  type ConditionOrder,
  type ConditionTools,
  conditionMedia,
} from '../condition/conditionMedia.ts';
import { type Failure, isFailure, thrownFault } from '../condition/fetch/conditionFailure.ts';
import type { MediaStore } from '../package/mediaStore.ts';
import type { PackagedMedia } from '../package/packagedMedia.ts';
import type { Ffmpeg, Origin } from '../ports.ts';
import { createTaskQueue } from '../taskQueue.ts';

export type MakerLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
};

export type CreativeMakerOptions = {
  readonly mediaStore: MediaStore;
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
  const { mediaStore, log } = options;
  const concurrency = Math.max(1, options.concurrency ?? Math.floor(availableParallelism() / 2));
  const encoders = createTaskQueue(concurrency);

  async function make(order: ConditionOrder, signal: AbortSignal): Promise<PackagedMedia | Failure> {
    const there = mediaStore.find(order.id);
    if (there !== undefined) return there;
    const full = order.kind === 'slate' ? undefined : await mediaStore.full();
    if (full !== undefined) return { failed: `there is no room for it: ${full}`, fault: 'NO_ROOM', isPermanent: false };
    const draft = await mediaStore.open(order.id);
    try {
      const made = await conditionMedia(order, draft, toolsFor(options, signal), (job) =>
        encoders.run(job, order.kind === 'slate'),
      );
      if (isFailure(made)) return made;
      if (mediaStore.find(made.media.id) === undefined) await draft.publish(made);
      await mediaStore.name(order.id, made.media.id);
      return made;
    } finally {
      await draft.discard();
    }
  }

  return {
    async make(order, signal) {
      try {
        const made = await make(order, signal);
        if (!isFailure(made)) return made;
        if (signal.reason === 'late')
          return { failed: 'it took too long to make', fault: 'TOO_SLOW', isPermanent: true };
        return signal.aborted ? { ...made, isPermanent: false } : made;
      } catch (error) {
        const fault = thrownFault(error);
        log.warn({ err: error, id: order.id }, 'conditioning stopped on an error');
        const failed = fault === 'NO_ROOM' ? 'the disk is full' : 'it could not be made or stored';
        return { failed, fault, isPermanent: false };
      }
    },
    concurrency,
    isBusy: () => encoders.waiting() >= concurrency,
  };
}

/** What a job may use for as long as it is nobody else's. */
const toolsFor = (
  { origin, ffmpeg, threads = 2, mediaStore, limits, asIs }: CreativeMakerOptions,
  signal: AbortSignal,
): ConditionTools => ({
  origin: {
    read: (url, given) => origin.read(url, { ...given, signal }),
    save: (url, path, given) => origin.save(url, path, { ...given, signal }),
  },
  ffmpeg: { missing: ffmpeg.missing, run: (program, run) => ffmpeg.run(program, { ...run, signal }) },
  threads,
  mediaStore,
  ...(limits ? { limits } : {}),
  ...(asIs ? { asIs } : {}),
});
