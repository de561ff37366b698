// SPDX-License-Identifier: Apache-2.0
import type { MeResponse } from '../../../src/platform/access/contract/accessContract.ts';
import { Badge } from '../components/feedback/Badge.tsx';
import { HintText } from '../components/hints/HintText.tsx';
import { RecordNames } from '../components/layout/RecordNames.tsx';

const hints: Readonly<Record<MeResponse['scope'], string>> = {
  read: 'You can read everything except credentials, and change nothing.',
  operate: 'You can insert breaks, switch channels on and off, and retry creatives.',
  manage: 'You can change everything.',
};

/** Who is signed in, and what they may do. */
export const Account = ({ me }: { readonly me: MeResponse }) => (
  <div class="account">
    {me.name === undefined ? null : <strong>{me.name}</strong>}
    <span>{me.email}</span>
    <span>{me.tenant}</span>
    <HintText hint={hints[me.scope]} class="hinted plain">
      <Badge tone="calm">{me.scope}</Badge>
    </HintText>
    {me.channels === undefined ? null : (
      <span>
        Channels: <RecordNames kind="channels" ids={me.channels} />
      </span>
    )}
  </div>
);
