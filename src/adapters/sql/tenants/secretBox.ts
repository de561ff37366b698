// Seals settings before they are stored: AES-256-GCM, a nonce for each, bound to the record that they belong to.
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';

export type SecretBox = {
  /** @param owner whose secret it is; the same must be given to open it */
  seal(plain: string, owner: string): string;
  /** @throws when the key or the owner is another one, or the text was changed */
  open(sealed: string, owner: string): string;
};

const VERSION = 's1';

export class UnknownSealVersion extends Error {
  readonly code = 'UNKNOWN_SEAL';
}

/** @param secret SECRET_KEY, or what the key file holds */
export function createSecretBox(secret: string): SecretBox {
  const key = scryptSync(secret, 'midroll settings', 32);
  return {
    seal: (plain, owner) => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return [VERSION, ...[nonce, cipher.getAuthTag(), text].map((part) => part.toString('base64url'))].join('.');
    },
    open: (sealed, owner) => {
      const [version, nonce, tag, text] = sealed.split('.');
      if (version !== VERSION || !nonce || !tag || text === undefined)
        throw new UnknownSealVersion(
          `settings are sealed in an unknown way: wanted ${VERSION}, got ${String(version).slice(0, 8)}`,
        );
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(Buffer.from(tag, 'base64url'));
      return decipher.update(Buffer.from(text, 'base64url'), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
