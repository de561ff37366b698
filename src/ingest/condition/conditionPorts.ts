// What conditioning needs of the world: an encoder's programs and a place for what they make.
import type { Millis } from '../../time/units.ts';
import type { PackagedMedia } from '../package/packagedMedia.ts';

export type ProgramResult =
  | { readonly ok: true /** The end of what it said on stderr. */; readonly said: string }
  | {
      readonly ok: false;
      /** `EXIT_CODE` when it ended by itself, the signal when it was killed from outside; else the code of what was thrown or of the system, where it has one. */
      readonly code?: string;
      readonly reason: string;
      readonly said: string;
    };

/** Reads to the end; when it throws before that, the run is ended. */
export type OutputReader = (chunks: AsyncIterable<Uint8Array>) => Promise<void>;

export type ProgramRun = {
  readonly arguments: readonly string[];
  /** File names in the arguments are told relative to it. */
  readonly folder: string;
  /** Killed after so long by the clock on the wall. */
  readonly timeoutMs: number;
  /** Killed when it is aborted. */
  readonly signal?: AbortSignal;
  readonly stdout?: OutputReader;
  /** Readers of what it writes to file descriptors 3, 4, … */
  readonly outputs?: readonly OutputReader[];
};

export type Ffmpeg = {
  /** Why it can't be used, or undefined when it can. */
  missing(): Promise<string | undefined>;
  run(program: 'ffmpeg' | 'ffprobe', run: ProgramRun): Promise<ProgramResult>;
};

/** A folder to make media in. It is no medium before it is published, and nobody else's until it is given up. */
export type MediaWorkshop = {
  readonly folder: string;
  /** A file of the medium, written from its start to its end; closing puts it on the disk. */
  create(name: string): Promise<{ write(bytes: Uint8Array): Promise<void>; close(): Promise<void> }>;
  /** Makes the medium exist under its own id, whole and at once; one that exists already is as good. */
  publish(packaged: PackagedMedia): Promise<void>;
  /** Takes the folder away; after publishing it does nothing. */
  discard(): Promise<void>;
};

export type MediaShelf = {
  /** What is there now, by its own id or by a name; reads one or two small files the first time. */
  find(id: string): PackagedMedia | undefined;
  /** Where the files of a medium lie. */
  folderOf(id: string): string | undefined;
  /** A folder of its own, however many make the same. */
  open(id: string): Promise<MediaWorkshop>;
  /** From now on `name` means the medium `id`. */
  name(name: string, id: string): Promise<void>;
  /** The name means nothing any more; the medium stays for those who know its id. */
  unname(name: string): Promise<void>;
  /** Makes room where it can. @returns a sentence when there is none for another medium */
  full(): Promise<string | undefined>;
  /** When it was last played, to the hour. */
  usedAt(id: string): Promise<Millis | undefined>;
};
