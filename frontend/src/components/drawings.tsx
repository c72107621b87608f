// Decorative drawings for notices, hidden from screen readers. Pigment colors are the same in both themes.

/** A shophouse door with a slightly crooked sign. */
export function ClosedDoor() {
  return (
    <svg viewBox="0 0 220 240" width="190" height="207" aria-hidden="true">
      <path d="M10 240V110A100 100 0 0 1 210 110V240Z" fill="#FCE6AE" />
      <path d="M34 240V112A76 76 0 0 1 110 36V240Z" fill="#2E8B6B" />
      <path d="M110 36A76 76 0 0 1 186 112V240H110Z" fill="#0F4D3F" />
      <path d="M34 112A76 76 0 0 1 186 112Z" fill="#F6B93B" />
      <path d="M110 36A76 76 0 0 1 186 112H110Z" fill="#E0A21F" />
      <path d="M110 112V36M110 112L56 58M110 112L164 58" stroke="#FCE6AE" strokeWidth="5" />
      <g fill="none" strokeWidth="4">
        <g stroke="#0F4D3F" opacity=".55">
          <rect x="46" y="128" width="50" height="42" rx="4" />
          <rect x="46" y="184" width="50" height="42" rx="4" />
        </g>
        <g stroke="#0B2F27">
          <rect x="124" y="128" width="50" height="42" rx="4" />
          <rect x="124" y="184" width="50" height="42" rx="4" />
        </g>
      </g>
      <path d="M110 112V240" stroke="#0B2F27" strokeWidth="3" />
      <g transform="rotate(-5 110 176)">
        <rect x="70" y="158" width="80" height="36" rx="8" fill="#FF7A66" />
        <path d="M82 158L110 132L138 158" fill="none" stroke="#14231C" strokeWidth="3" />
        <rect x="84" y="172" width="52" height="8" rx="4" fill="#14231C" />
      </g>
      <rect y="234" width="220" height="6" rx="3" fill="#14231C" />
    </svg>
  );
}

/** The number 404, with the halves of its zero slipped apart. */
export function NotFoundDrawing() {
  return (
    <svg viewBox="0 0 680 260" className="w-[min(100%,680px)]" aria-hidden="true">
      <path d="M0 0H100V100H0Z" fill="#FCE6AE" />
      <path d="M0 0V100H100A100 100 0 0 1 0 0Z" fill="#F6B93B" />
      <rect y="100" width="100" height="60" fill="#F6B93B" />
      <rect x="100" width="60" height="260" fill="var(--primary)" />
      <rect y="100" width="160" height="60" fill="var(--primary)" />
      <path d="M100 200A60 60 0 0 0 160 260V200Z" fill="#2E8B6B" />
      <path d="M324 0A117 117 0 0 0 324 234Z" fill="#FF7A66" />
      <path d="M324 70A47 47 0 0 0 324 164Z" fill="var(--background)" />
      <path d="M356 26A117 117 0 0 1 356 260Z" fill="#2F57C8" />
      <path d="M356 96A47 47 0 0 1 356 190Z" fill="var(--background)" />
      <g transform="translate(520 0)">
        <path d="M0 0H100V100H0Z" fill="#FBD3C8" />
        <path d="M0 0A100 100 0 0 0 100 100V0Z" fill="#E0483E" />
        <rect x="100" width="60" height="260" fill="var(--primary)" />
        <rect y="100" width="160" height="60" fill="var(--primary)" />
        <circle cx="130" cy="230" r="20" fill="#F6B93B" />
      </g>
    </svg>
  );
}

/** An unplugged plug and socket. */
export function UnpluggedDrawing() {
  return (
    <svg viewBox="0 0 420 180" className="w-[min(100%,420px)]" aria-hidden="true">
      <path d="M0 90H96M324 90H420" stroke="var(--foreground)" strokeWidth="10" />
      <path d="M166 20A70 70 0 0 0 166 160Z" fill="#FF7A66" />
      <rect x="166" y="56" width="30" height="14" rx="3" fill="#F6B93B" />
      <rect x="166" y="110" width="30" height="14" rx="3" fill="#F6B93B" />
      <path d="M254 20A70 70 0 0 1 254 160Z" fill="#2F57C8" />
      <path d="M254 54H268A9 9 0 0 1 268 72H254ZM254 108H268A9 9 0 0 1 268 126H254Z" fill="#BCD3F7" />
      <path d="M210 34l6-14M210 146l6 14" stroke="var(--input)" strokeWidth="4" strokeLinecap="round" />
    </svg>
  );
}
