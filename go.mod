module kumiko

go 1.26
