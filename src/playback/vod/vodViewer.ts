// SPDX-License-Identifier: Apache-2.0
// A viewer of a VoD channel, and what deciding their breaks results in.
import type { ClipMaker } from '../../ads/placement/breakClips.ts';
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import type { VodChannel } from '../../channels/channel.ts';
import type { FilmSession } from '../../sessions/session.ts';
import type { Frozen, Presentation } from '../../vod/layOut.ts';
import type { Title } from '../../vod/title.ts';

export type DecidedPresentation = {
  readonly frozen: Frozen;
  readonly records: readonly BreakRecord[];
  /** To be called once the presentation is stored, if this process was the first to store it. */
  readonly onFrozen: () => void;
};

export type DecidePresentation = (channel: VodChannel, viewer: VodViewer) => Promise<DecidedPresentation>;

export type VodViewer = {
  readonly session: FilmSession;
  readonly title: Title;
  readonly clips: ClipMaker;
  /** Set when it is stored what the session shows. */
  presentation?: Presentation;
  settling?: Promise<Presentation> | undefined;
  /** Titles of the session's ads by id, if this process decided them. */
  adTitles?: ReadonlyMap<string, string>;
  /** Decided by this process, and not stored yet. */
  decided?: DecidedPresentation;
  /** The report interval in which the viewer was last counted. */
  countedInterval: number;
  isUnwatched?: boolean;
};

/** Milliseconds, if a channel sets no `vodBudgetMs`. */
const DEFAULT_BUDGET_MS = 3000;

/** Milliseconds in which the ads of a session are decided, and for which a request waits for an import. */
export const budgetOf = ({ vodBudgetMs = DEFAULT_BUDGET_MS }: VodChannel): number => vodBudgetMs;
