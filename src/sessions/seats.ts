// SPDX-License-Identifier: Apache-2.0
// The sessions that a process has in memory, by id: where each one belongs. Every request of a player starts here, whatever its channel
// is, so what a session needs at once with every request belongs here, too.
import type { Session } from './session.ts';

/** `session` has the tenant, the channel, its life, and the kind of the session. */
export type Seat = { readonly session: Session };

/** Filled by the memory of viewers (playback/viewers/viewers.ts) and that of presentations (playback/vod/presentationMemory.ts), which bound it. */
export type Seats = Map<string, Seat>;
