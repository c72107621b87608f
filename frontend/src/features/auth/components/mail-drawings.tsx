// Decorative envelopes, with a whole or a broken seal; hidden from screen readers.

function Envelope({ seal }: { seal: [left: string, right: string] }) {
  return (
    <svg viewBox="0 0 160 120" width="136" height="102" aria-hidden="true">
      <rect x="6" y="14" width="148" height="100" rx="12" fill="#BFE3CF" />
      <path d="M6 26A12 12 0 0 1 18 14H142A12 12 0 0 1 154 26L80 76Z" fill="#0F4D3F" />
      <path d={seal[0]} fill="#FCE6AE" />
      <path d={seal[1]} fill="#FF7A66" />
    </svg>
  );
}

export const SealedEnvelope = () => <Envelope seal={['M80 30A26 26 0 0 0 80 82Z', 'M80 30A26 26 0 0 1 80 82Z']} />;

export const BrokenSeal = () => <Envelope seal={['M72 22A26 26 0 0 0 72 74Z', 'M88 36A26 26 0 0 1 88 88Z']} />;
