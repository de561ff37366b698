import { ApiError } from '../api/apiError.ts';
import { sessionAddress } from '../logic/addressesOf.ts';
import { signOpening } from '../logic/signOpening.ts';

type Channel = {
  readonly id: string;
  readonly apiKey?: string | undefined;
  readonly signingSecret?: string | undefined;
};

/** A channel that was put on air just now is refused for the few seconds that this takes. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 1000;

/** Becomes a viewer. @returns the address of the manifest */
export async function openSession(
  liveUrl: string,
  format: 'hls' | 'dash',
  channel: Channel,
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  // Browsers sign in secure contexts only (Web Cryptography API §10).
  if (channel.signingSecret && !globalThis.crypto?.subtle)
    throw new ApiError(
      0,
      'The channel takes signed addresses: to preview it, open the console with https or on localhost.',
    );
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const signed = { ...parameters, ...(await signOpening(channel, Date.now())) };
    const response = await fetch(sessionAddress(liveUrl, format, channel, signed)).catch(() => {
      throw new ApiError(0, `The live interface cannot be reached at ${liveUrl}.`);
    });
    const said = (await response.json().catch(() => ({}))) as { mediaURL?: string; message?: string };
    if (response.ok && said.mediaURL !== undefined) return said.mediaURL;
    if (response.status !== 503 || Date.now() > deadline)
      throw new ApiError(response.status, said.message ?? `The live interface answered ${response.status}.`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
