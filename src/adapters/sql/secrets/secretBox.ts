// SPDX-License-Identifier: Apache-2.0
// Encrypts settings before they are stored: AES-256-GCM with a random nonce, bound to the record that they belong to.
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';

export type SecretBox = ReturnType<typeof createSecretBox>;

const VERSION = 's1';

class UnknownSealVersion extends Error {
  readonly code = 'UNKNOWN_SEAL';
}

/** @param secret SECRET_KEY, or the content of the key file */
export function createSecretBox(secret: string) {
  const key = scryptSync(secret, 'midroll settings', 32);
  return {
    /** @param owner the record of the secret; `open` needs the same one */
    seal: (plain: string, owner: string): string => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return [VERSION, ...[nonce, cipher.getAuthTag(), text].map((part) => part.toString('base64url'))].join('.');
    },
    /** @throws if the key or the owner differs, or the text was changed */
    open: (sealed: string, owner: string): string => {
      const [version, nonce, tag, text] = sealed.split('.');
      if (version !== VERSION || !nonce || !tag || text === undefined)
        throw new UnknownSealVersion(
          `The encryption version of settings must be ${VERSION}; got ${String(version).slice(0, 8)}.`,
        );
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(Buffer.from(tag, 'base64url'));
      return decipher.update(Buffer.from(text, 'base64url'), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
