/** Has the same layout as the profile. */
export function ProfileSkeleton() {
  return (
    <div aria-hidden="true" className="profile-skeleton">
      <div className="sk profile-cover" />
      <div className="profile-grid">
        <div>
          <div className="sk profile-portrait" />
          <div className="sk" style={{ height: 248, marginTop: 16, borderRadius: 20 }} />
        </div>
        <div style={{ paddingTop: 22 }}>
          <div className="row between">
            <div className="sk" style={{ height: 48, width: '44%' }} />
            <div className="sk" style={{ height: 44, width: 206 }} />
          </div>
          <div className="sk" style={{ height: 30, width: '36%', marginTop: 6 }} />
          <div className="sk" style={{ height: 60, width: '80%', marginTop: 20 }} />
          <div className="sk" style={{ height: 48, width: '90%', marginTop: 20 }} />
          <div className="sk" style={{ height: 36, width: '38%', margin: '48px 0 16px' }} />
          <div className="sk" style={{ height: 280 }} />
        </div>
      </div>
    </div>
  );
}
