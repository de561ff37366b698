// SPDX-License-Identifier: Apache-2.0
import type { OpenedSession } from '../../../../src/http/airContract.ts';

export type SessionBreak = {
  readonly id: string;
  readonly contentTime: number;
  readonly streamTime: number;
  readonly duration: number;
  readonly ads: readonly { readonly id: string; readonly title?: string; readonly duration: number }[];
};
/** The response that opened a session; the last fields are those of VoD. */
export type OpenedVod = OpenedSession & {
  readonly durationSeconds?: number;
  readonly contentDurationSeconds?: number;
  readonly startSeconds?: number;
  readonly breaks?: readonly SessionBreak[];
};
export type TitleStatus = {
  readonly url: string;
  readonly state: 'importing' | 'ready' | 'failed';
  readonly reason?: string;
  readonly startedAt?: string;
};
