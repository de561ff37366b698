import { ApiError } from '../api/apiError.ts';
import { sessionAddress } from '../logic/addressesOf.ts';

type Channel = { readonly id: string; readonly apiKey?: string | undefined };

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
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const response = await fetch(sessionAddress(liveUrl, format, channel, parameters)).catch(() => {
      throw new ApiError(0, `The live interface cannot be reached at ${liveUrl}.`);
    });
    const said = (await response.json().catch(() => ({}))) as { mediaURL?: string; message?: string };
    if (response.ok && said.mediaURL !== undefined) return said.mediaURL;
    if (response.status !== 503 || Date.now() > deadline)
      throw new ApiError(response.status, said.message ?? `The live interface answered ${response.status}.`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
