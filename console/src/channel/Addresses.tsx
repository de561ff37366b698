import type { ChannelAnswer } from '../../../src/http/contract.ts';
import { useInstallation } from '../api/installation.ts';
import { addressesOf } from '../logic/addressesOf.ts';
import { CopyLine } from '../parts/CopyLine.tsx';

/** What players open. */
export function Addresses({ channel }: { readonly channel: ChannelAnswer }) {
  const { liveUrl } = useInstallation();
  const { hls, dash, view } = addressesOf(liveUrl, channel.id, channel.apiKey ?? '');
  return (
    <section class="card">
      <h2>For players</h2>
      <CopyLine name="HLS" text={hls} />
      <CopyLine name="DASH session" text={dash} />
      <CopyLine name="HLS session" text={view} />
      <CopyLine name="Channel key" text={channel.apiKey ?? ''} />
      {channel.signingSecret && (
        <p class="small">This channel opens sessions only at signed addresses: add exp and sig to these.</p>
      )}
      <p class="small quiet">A session answers with the addresses of its manifest and of its ads.</p>
    </section>
  );
}
