/// <reference types="vite/client" />

declare module 'virtual:licenses' {
  const licenses: import('../scripts/licenses').License[];
  export default licenses;
}
