//! What no route takes: unknown paths, and known paths with other methods.

use actix_web::{HttpRequest, HttpResponse, web};
use utoipa::openapi::OpenApi;

use crate::problem::{Code, Problem};

/// The methods of each path.
#[derive(Clone, Debug)]
pub struct Methods(Vec<(Vec<String>, Vec<&'static str>)>);

impl Methods {
    /// As a specification tells them.
    pub fn of(document: &OpenApi) -> Methods {
        let paths = document.paths.paths.iter();
        let entries = paths.map(|(path, item)| {
            let has = [
                ("GET", item.get.is_some()),
                ("HEAD", item.get.is_some()),
                ("POST", item.post.is_some()),
                ("PUT", item.put.is_some()),
                ("DELETE", item.delete.is_some()),
            ];
            let methods = has.iter().filter(|(_, has)| *has).map(|(name, _)| *name);
            (parts(path), methods.collect())
        });
        Methods(entries.collect())
    }

    fn allowed(&self, path: &str) -> Option<String> {
        let asked = parts(path);
        let fits = |template: &[String]| {
            template.len() == asked.len()
                && template.iter().zip(&asked).all(|(part, asked)| {
                    part == asked || part.starts_with('{') && !asked.is_empty()
                })
        };
        let all = self.0.iter().filter(|(template, _)| fits(template));
        // A literal path such as that of a count hides the one with a parameter in its place.
        let parameters =
            |template: &[String]| template.iter().filter(|p| p.starts_with('{')).count();
        let (_, methods) = all.min_by_key(|(template, _)| parameters(template))?;
        Some(methods.join(", "))
    }
}

fn parts(path: &str) -> Vec<String> {
    path.split('/').map(str::to_owned).collect()
}

/// Says whether the path or the method is wrong.
///
/// # Errors
/// Always.
pub async fn fallback(
    request: HttpRequest,
    methods: web::Data<Methods>,
) -> Result<HttpResponse, Problem> {
    let path = request.path();
    Err(match methods.allowed(path) {
        Some(allow) => Problem {
            allow: Some(allow.clone()),
            ..Problem::new(
                Code::MethodNotAllowed,
                format!("{} is not allowed here; {allow} are", request.method()),
            )
        },
        None => Problem::new(Code::NotFound, format!("there is nothing at {path:?}")),
    })
}
