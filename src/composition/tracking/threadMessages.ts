// SPDX-License-Identifier: Apache-2.0
// The messages between the serving thread and the tracking thread. Those to the serving thread are sent in arrays.
import type { Config } from '../../config.ts';
import type { BeaconFact } from '../../tracking/beacons/beacon.ts';
import type { DeliveryRecorder } from '../../tracking/deliveries/ports.ts';
import type { JournalFiles } from './journalFiles.ts';

/** What the thread is started with. */
export type ThreadData = { readonly config: Config; readonly files: JournalFiles };

export type ThreadCall = { readonly id: number } & (
  | { readonly call: 'replay'; readonly args: Parameters<DeliveryRecorder['replay']> }
  | { readonly call: 'record'; readonly args: Parameters<DeliveryRecorder['record']> }
  | { readonly call: 'startSending' | 'stop'; readonly args: readonly [] }
);

export type ThreadReply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: unknown };

export type ThreadNote =
  | { readonly note: 'warn'; readonly message: string; readonly facts: Record<string, unknown> }
  | { readonly note: 'beacons'; readonly counts: readonly CountedFact[] }
  | { readonly note: 'quarantined' };

export type ThreadMessage = ThreadReply | ThreadNote;

export type CountedFact = { readonly fact: BeaconFact; readonly count: number };
