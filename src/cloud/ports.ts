// What the cloud room needs of the world: a container of blobs, the memory of what lies in it, and the media store of media.
import type { ExchangeError } from '../ads/request/ports.ts';
import type { PackagedMedia } from '../ingest/package/packagedMedia.ts';
import type { Millis } from '../time/units.ts';
import type { CloudTarget } from './cloudTarget.ts';

/** Trouble outside is a value; `reason` is a predicate of the storage account, without secrets. */
export type CloudAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string; readonly error?: ExchangeError; readonly status?: number };

export type Blob = { readonly name: string; readonly bytes: number };

export type BlobContainer = {
  /** Sees to it that the container is there and that players in browsers may read from it. */
  prepare(): Promise<CloudAnswer<void>>;
  /** Reads as a player in a browser would. */
  probe(): Promise<CloudAnswer<void>>;
  /** Whole or not at all. */
  put(name: string, bytes: Uint8Array, contentType: string): Promise<CloudAnswer<void>>;
  list(prefix: string): Promise<CloudAnswer<Blob[]>>;
  /** What is not there is removed already. */
  remove(name: string): Promise<CloudAnswer<void>>;
  /** Where a player reads a blob; the same for some hours, good for some hours more. */
  urlOf(name: string, now: Millis): string;
};

export type OpenContainer = (target: CloudTarget) => BlobContainer;

/** A creative as it plays for so many frames, in a container. */
export type Publication = {
  readonly location: string;
  readonly edition: string;
  readonly frames: number;
};

export type PublicationState = 'wanted' | 'published' | 'going';

export type PublicationRow = Publication & {
  readonly state: PublicationState;
  readonly objects: number;
  readonly bytes: number;
  readonly tries: number;
  /** When it is to be looked at; whoever works on it moves this ahead. */
  readonly dueAt: Millis;
  readonly usedAt: Millis;
  readonly changedAt: Millis;
};

/** How a container does, as whoever looked last has found. */
export type ContainerState = {
  readonly location: string;
  /** Why it cannot be served from; undefined when it can. */
  readonly reason?: string;
  readonly checkedAt: Millis;
};

export type PublicationStore = {
  /** Notes that it is played; what is unknown becomes wanted. */
  want(publication: Publication, now: Millis): Promise<void>;
  /** Wanted or going, and due. */
  due(locations: readonly string[], now: Millis, limit: number): Promise<PublicationRow[]>;
  /** Takes one for so long; false when somebody else was sooner. */
  claim(row: PublicationRow, until: Millis): Promise<boolean>;
  /** Says what became of it. */
  settle(row: PublicationRow, change: Partial<Omit<PublicationRow, keyof Publication>>): Promise<void>;
  forget(publication: Publication): Promise<void>;
  /** How many there are of each kind. */
  tally(location: string): Promise<{ readonly wanted: number; readonly published: number }>;
  all(location: string): Promise<PublicationRow[]>;
  changedSince(at: Millis): Promise<PublicationRow[]>;
  noteState(state: ContainerState): Promise<void>;
  states(): Promise<ContainerState[]>;
};

/** Media as they are served from here. */
export type ServedMedia = {
  find(mediaId: string): PackagedMedia | undefined;
  openSegment(
    mediaId: string,
    frames: string,
    rungId: string,
    name: string,
  ): Promise<{ readonly bytes: Uint8Array; readonly contentType: string } | undefined>;
  /** Served from elsewhere, and to be kept all the same. */
  markUsed(mediaId: string): void;
};
