//! PostgreSQL over TLS. `tests/with-postgres` runs a server that has a certificate and accepts the user
//! `tls_only` over TLS only.

use super::program::{done, failed, tabularium};
use super::support::Database;

#[test]
fn postgres_is_reached_by_tls_and_its_certificate_is_checked() {
    let Ok(certificate) = std::env::var("TABULARIUM_TEST_ROOT_CERTIFICATE") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let fresh = Database::fresh();
    let url = fresh.url().replace("tabularium@", "tls_only@");
    assert!(url.contains("tls_only@127.0.0.1:"), "{url}");
    let migrate = |url: &str, parameters: &str| {
        let url = format!("{url}&{parameters}");
        tabularium(folder.path(), &["migrate", "--database", &url])
    };
    done(&migrate(&url, "sslmode=require"));
    let verify = format!("sslmode=verify-full&sslrootcert={certificate}");
    done(&migrate(&url, &verify));

    let errors = failed(&migrate(&url, "sslmode=disable"), 1);
    assert!(errors.contains("no encryption"), "{errors}");
    // The certificate is for another host name.
    let elsewhere = url.replace("@127.0.0.1:", "@tabularium.example:");
    let verify_name = format!("hostaddr=127.0.0.1&{verify}");
    let errors = failed(&migrate(&elsewhere, &verify_name), 1);
    assert!(errors.contains("does not match host name"), "{errors}");
    // The certificate has an unknown issuer.
    let other = folder.path().join("other.crt");
    std::fs::write(&other, OTHER_ROOT).unwrap();
    let verify_root = format!("sslmode=verify-ca&sslrootcert={}", other.display());
    let errors = failed(&migrate(&url, &verify_root), 1);
    assert!(errors.contains("certificate verify failed"), "{errors}");
}

/// A root certificate that has signed nothing here.
const OTHER_ROOT: &str = "\
    -----BEGIN CERTIFICATE-----\n\
    MIIBhjCCAS2gAwIBAgIUbuopsehZYP3+tUFI/NOxySrW2gowCgYIKoZIzj0EAwIw\n\
    GDEWMBQGA1UEAwwNc29tZWJvZHktZWxzZTAgFw0yNjExMjExNDU0NTVaGA8yMTI2\n\
    MTAyODE0NTQ1NVowGDEWMBQGA1UEAwwNc29tZWJvZHktZWxzZTBZMBMGByqGSM49\n\
    AgEGCCqGSM49AwEHA0IABJeagBFgGf4Hp96mfjMuOexhH99iQwc+Kq/2cUBIwjkV\n\
    EG7EuwjKZvNNWUxcD8yi3yPJ5uJtkqq20KS1GeCTVZ6jUzBRMB0GA1UdDgQWBBRJ\n\
    fTmsKa5Sli84tHyFlqcExt43UjAfBgNVHSMEGDAWgBRJfTmsKa5Sli84tHyFlqcE\n\
    xt43UjAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCIG7zw38EI5BR\n\
    IsXQ3yQoqvQyzx55yeFe6afhVO0WhhLOAiA9/ya57IyhZ3iju/QmyHKKNgTRxZe/\n\
    IaS/FjKJ7dkTyw==\n\
    -----END CERTIFICATE-----\n\
";
