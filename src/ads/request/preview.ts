// SPDX-License-Identifier: Apache-2.0
// Previews of operators are sessions like those of viewers, with a mark: their breaks are not in reports, and no tracking or Error
// URL is called for them (docs/decisions/042-tries.md). The mark is a parameter, so that traces, the history of sessions and
// macros of ad servers have it without a field of their own. A player cannot set it: a URL with it needs a token.
import type { AdRequestSession } from './requestVariables.ts';

export const PREVIEW_PARAMETER = 'midroll-preview';
/** The value of the parameter in a session. In a playback URL, the value is a token. */
export const PREVIEW_MARK = 'yes';
/** Ad servers can exclude requests with this header from their reports. */
export const PREVIEW_HEADER = 'x-midroll-preview';

export const isPreview = ({ parameters }: Pick<AdRequestSession, 'parameters'>): boolean =>
  Object.hasOwn(parameters, PREVIEW_PARAMETER);
