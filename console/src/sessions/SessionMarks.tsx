// SPDX-License-Identifier: Apache-2.0
import { isPreview } from '../../../src/ads/request/preview.ts';
import type { FoundSession } from '../../../src/http/contract/sessionContract.ts';
import { Badge } from '../components/feedback/Badge.tsx';

type SessionMarksProps = { readonly session: Pick<FoundSession, 'parameters' | 'insertion'> };

/** What makes a session unusual: its player inserts the ads, or it is not counted. */
export const SessionMarks = ({ session }: SessionMarksProps) => (
  <>
    {session.insertion === 'guided' ? <Badge tone="info">Guided</Badge> : null}
    {isPreview(session) ? <Badge tone="calm">Preview</Badge> : null}
  </>
);
